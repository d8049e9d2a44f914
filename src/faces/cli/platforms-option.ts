import { type Command, InvalidArgumentError } from 'commander';
import { type Platform, platformOf, platforms } from '../../../lib/platforms.js';
import { suggestBefore } from '../../../lib/runtime/nearest-words.js';

export function platformList(text: string): Platform[] {
  return text.split(',').map((word) => {
    const platform = platformOf(word.trim());
    if (platform === undefined)
      throw new InvalidArgumentError(
        suggestBefore(word.trim(), platforms, `Choose from ${platforms.join(', ')}.`),
      );
    return platform;
  });
}

/** Adds `--platforms`: fewer tools take less of an assistant's context. */
export function addPlatformsOption(command: Command): void {
  command.option(
    '--platforms <names>',
    `Offer only the tools of these platforms, separated by commas: ${platforms.join(', ')}`,
    platformList,
  );
}
