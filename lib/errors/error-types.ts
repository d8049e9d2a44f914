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

const isOf = (error: unknown, type: ErrorType) => error instanceof ExtractError && error.type === type;

/** The call itself is wrong. */
export class InvalidRequestError extends TypedError<'invalid_request'> {
  static override [Symbol.hasInstance](error: unknown): error is InvalidRequestError {
    return isOf(error, 'invalid_request');
  }
}

/** The server does not know the API key. */
export class AuthenticationError extends TypedError<'authentication'> {
  static override [Symbol.hasInstance](error: unknown): error is AuthenticationError {
    return isOf(error, 'authentication');
  }
}

/** The key or the account lacks permission. */
export class PermissionDeniedError extends TypedError<'permission'> {
  static override [Symbol.hasInstance](error: unknown): error is PermissionDeniedError {
    return isOf(error, 'permission');
  }
}

/** The balance does not cover the price. */
export class BillingError extends TypedError<'billing'> {
  static override [Symbol.hasInstance](error: unknown): error is BillingError {
    return isOf(error, 'billing');
  }
}

/** The subject does not exist, according to the platform itself, or is not public. */
export class NotFoundError extends TypedError<'not_found'> {
  static override [Symbol.hasInstance](error: unknown): error is NotFoundError {
    return isOf(error, 'not_found');
  }
}

/** It existed and has been deleted. */
export class GoneError extends TypedError<'gone'> {
  static override [Symbol.hasInstance](error: unknown): error is GoneError {
    return isOf(error, 'gone');
  }
}

/** The platform refused, failed or changed. Nothing was charged. */
export class PlatformError extends TypedError<'platform'> {
  static override [Symbol.hasInstance](error: unknown): error is PlatformError {
    return isOf(error, 'platform');
  }
}

/** The server asks for fewer requests. */
export class RateLimitError extends TypedError<'rate_limit'> {
  static override [Symbol.hasInstance](error: unknown): error is RateLimitError {
    return isOf(error, 'rate_limit');
  }
}

/** The state of a job or a key does not permit the call. */
export class ConflictError extends TypedError<'conflict'> {
  static override [Symbol.hasInstance](error: unknown): error is ConflictError {
    return isOf(error, 'conflict');
  }
}

/** A bug of `extract`, or a fault of the machine it runs on. */
export class InternalError extends TypedError<'internal'> {
  static override [Symbol.hasInstance](error: unknown): error is InternalError {
    return isOf(error, 'internal');
  }
}
