import { type Command, Option } from 'commander';
import type { Config } from '../../../lib/config.js';
import type { Endpoint } from '../../../lib/endpoint.js';
import { callDefaults } from '../../lines/run-steps.js';
import { identifyingParams, paramOfArgument } from '../../output/plain-argument.js';
import { kebabCase } from '../../output/shell-words.js';
import type { Context } from './context.js';
import {
  addCallOptions,
  noSourcesOption,
  type Options,
  outputOf,
  selectionOf,
  wantsSources,
} from './output.js';
import { type ParameterOption, parameterOptions, renamedOptions } from './parameter-options.js';
import { type CallRequest, runCall } from './run-call.js';
import { addStepOptions, requestedSteps, stepValuesOf } from './step-options.js';
import { UsageError } from './usage-error.js';
import { withEvidence } from './with-evidence.js';

/** Returns the parameters as strings; the call validates them. */
function paramsOf(
  endpoint: Endpoint,
  argument: string | undefined,
  options: Options,
  paramOptions: readonly ParameterOption[],
): CallRequest['params'] {
  const params: Record<string, unknown> = {};
  for (const { param, option } of paramOptions) {
    const value = options[option.attributeName()];
    if (value !== undefined) params[param] = value;
  }
  if (argument === undefined) return params;
  const name = paramOfArgument(endpoint, argument) as string;
  if (params[name] !== undefined) {
    throw new UsageError(
      'conflicting_parameters',
      `Give ${name} once: as --${kebabCase(name)} or as the plain argument.`,
    );
  }
  return { ...params, [name]: argument };
}

/** Defines the arguments, options and action of an endpoint's command. `help` is true if its help may be shown. */
export function defineEndpointCommand(
  command: Command,
  endpoint: Endpoint,
  context: Context,
  help: boolean,
): Command {
  const identifying = identifyingParams(endpoint);
  if (identifying.length > 0) command.argument(`[${identifying.join('|')}]`);
  command.optionsGroup('Parameters:');
  const paramOptions = parameterOptions(endpoint, help);
  for (const { option } of paramOptions) command.addOption(option);
  const renamed = renamedOptions(endpoint);
  for (const { option } of renamed) command.addOption(option);
  if (endpoint.page !== null) {
    command.option('--all', 'Read all pages of the list; each page costs one call');
  }
  addCallOptions(command);
  command
    .addOption(noSourcesOption())
    .optionsGroup('Files:')
    .option(
      '-o, --output <file>',
      'Write to this file, or to a bucket (s3://bucket/name.csv); its extension sets the format: .ndjson, .json, .csv, .tsv, .xlsx, .sqlite or .parquet',
    )
    .option('--overwrite', 'Replace the file if it exists')
    .option('--append', 'Add to an existing SQLite, NDJSON, CSV or TSV file');
  addStepOptions(command, 'call')
    .optionsGroup('Pages:')
    .option('--save-pages <dir>', 'Save every fetched page to this folder; skips the cache')
    .addOption(
      new Option(
        '--from-pages <dir>',
        'Read the pages saved in this folder instead of the network',
      ).conflicts(['savePages', 'archive', 'demo']),
    )
    .option('--debug', 'After an error, describe every page that was received (like EXTRACT_DEBUG)');
  return command.action(async (...actionArgs: unknown[]) => {
    const argument = identifying.length > 0 ? (actionArgs[0] as string | undefined) : undefined;
    const options = command.optsWithGlobals<Options>();
    const run = async (options: Options) => {
      const output = outputOf(options, context);
      const outputName = options.output ?? options.append ?? options.overwrite;
      const file =
        outputName === undefined ? null : await (await import('./formats/file.js')).answerFileOf(options);
      const sources = wantsSources(options, file === null ? output.format : file.kind);
      const all = options.all === true;
      const requested = await requestedSteps(stepValuesOf(options), {
        ...{ kind: 'call', endpoint, all },
        output: file,
      });
      const request: CallRequest = {
        endpoint,
        params: {
          ...callDefaults(requested),
          ...paramsOf(endpoint, argument, options, [...paramOptions, ...renamed]),
          ...(sources ? { sources } : {}),
        },
        showsSources: sources,
        requested,
        all,
        output: { ...output, sources },
        selection: selectionOf(endpoint.returns, endpoint.many, output, endpoint.columns),
        file,
      };
      const { savePages, fromPages } = options as { savePages?: string; fromPages?: string };
      const pages = { savePages, fromPages } as Partial<Config>;
      const opened = { requested, config: pages, quiet: !request.output.showNotes };
      await withEvidence(context, opened, (extractor) => runCall(context, request, extractor));
    };
    try {
      if (typeof options.output !== 'string') return await run(options);
      const { withObjectFile } = await import('./bucket/object-file.js');
      await withObjectFile(context, options.output, options, ({ file }) => run({ ...options, output: file }));
    } catch (error) {
      if (argument === undefined) throw error;
      const { withOtherCommand } = await import('./other-command.js');
      throw withOtherCommand(error, endpoint, argument, context.endpoints);
    }
  });
}
