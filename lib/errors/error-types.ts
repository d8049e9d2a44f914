import type { catalogue, ErrorCode, ErrorType } from './catalogue.js';
import { type ErrorDetails, ExtractError } from './extract-error.js';

/** The codes of a type of error. */
export type CodeOf<Type extends ErrorType> = {
  [Code in ErrorCode]: (typeof catalogue)[Code]['type'] extends Type ? Code : never;
}[ErrorCode];

/**
 * The base of the classes below. Every error is an instance of its type's class, because the library creates errors by
 * their code.
 */
class TypedError<Type extends ErrorType> extends ExtractError {
  /** Class of the error. */
  declare readonly type: Type;
  /** Stable; branch on it. */
  declare readonly code: CodeOf<Type>;

  constructor(code: CodeOf<Type>, message?: string, details?: ErrorDetails) {
    super(code as ErrorCode, message, details);
  }
}

/** Typed explicitly, because the inferred type has the static members of Node.js's `Error`, which users may lack. */
interface ErrorClass<Type extends ErrorType> {
  new (code: CodeOf<Type>, message?: string, details?: ErrorDetails): TypedError<Type>;
  [Symbol.hasInstance](error: unknown): error is TypedError<Type>;
}

/** Returns the class of a type of error. */
const errorClass = <Type extends ErrorType>(type: Type): ErrorClass<Type> =>
  class extends TypedError<Type> {
    static override [Symbol.hasInstance](error: unknown): error is TypedError<Type> {
      return error instanceof ExtractError && error.type === type;
    }
  };

/** The call itself is wrong. */
export class InvalidRequestError extends errorClass('invalid_request') {}

/** The server does not know the API key. */
export class AuthenticationError extends errorClass('authentication') {}

/** The key or the account lacks permission. */
export class PermissionDeniedError extends errorClass('permission') {}

/** The balance does not cover the price. */
export class BillingError extends errorClass('billing') {}

/** The subject does not exist, according to the platform itself, or is not public. */
export class NotFoundError extends errorClass('not_found') {}

/** It existed and has been deleted. */
export class GoneError extends errorClass('gone') {}

/** The platform refused, failed or changed. Nothing was charged. */
export class PlatformError extends errorClass('platform') {}

/** The server asks for fewer requests. */
export class RateLimitError extends errorClass('rate_limit') {}

/** The state of a job or a key does not permit the call. */
export class ConflictError extends errorClass('conflict') {}

/** A bug of `extract`, or a fault of the machine it runs on. */
export class InternalError extends errorClass('internal') {}
