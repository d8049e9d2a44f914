import { Option } from 'commander';
import * as z from 'zod';
import type { Endpoint } from '../../../lib/endpoint.js';
import { bare, describe, kindOf } from '../../../lib/params/describe.js';
import { identifyingParams } from '../../output/plain-argument.js';
import { kebabCase } from '../../output/shell-words.js';

export interface ParameterOption {
  readonly param: string;
  readonly option: Option;
}

function placeholder(name: string, kind: z.ZodType): string {
  if (kind instanceof z.ZodEnum) return 'word';
  if (kind instanceof z.ZodNumber) return 'number';
  return name === 'url' || name.endsWith('_url') ? 'url' : name === 'cursor' ? 'cursor' : 'text';
}

/** Returns the meaning, the expected value unless it is obvious, and the default. */
function helpText(schema: z.ZodType, identifying: boolean): string {
  const { text: description, expects, default: fallback } = describe(schema);
  // Only servers charge for calls.
  const text = description.replace(/; charged as usual|, no charge/, '');
  // The help lists the choices itself.
  const meaning = /^(a string of|true or false|one of)/.test(expects) ? text : `${text}: ${expects}`;
  const sentence = identifying ? `${meaning} (or the plain argument)` : meaning;
  // One sentence after the choices, if there are any.
  return fallback === undefined || fallback === false || kindOf(schema).enum !== undefined
    ? sentence
    : `${sentence}. Default: ${fallback}.`;
}

/** Returns the options of an endpoint's command, in the documented order; `help` adds their texts. */
export function parameterOptions(endpoint: Endpoint, help: boolean): ParameterOption[] {
  const identifying = identifyingParams(endpoint);
  return Object.entries(endpoint.params).map(([param, schema]) => {
    const name = `--${kebabCase(param)}`;
    const kind = bare(schema);
    const flags = kind instanceof z.ZodBoolean ? name : `${name} <${placeholder(param, kind)}>`;
    const option = new Option(flags, help ? helpText(schema, identifying.includes(param)) : '');
    // Only for completion; each call validates the value.
    if (kind instanceof z.ZodEnum) {
      option.argChoices = kind.options.map(String);
      // Only for display; each call applies the default.
      const fallback = kindOf(schema).default;
      if (help && fallback !== undefined) option.defaultValueDescription = String(fallback);
    }
    return { param, option };
  });
}

/** Returns hidden options for former parameter names, so that the call can name the new one. */
export function renamedOptions(endpoint: Endpoint): ParameterOption[] {
  return Object.keys(endpoint.renamed).map((param) => ({
    param,
    option: new Option(`--${kebabCase(param)} [text]`).hideHelp(),
  }));
}
