import type { Fields } from './observation.js';

/** Fields that say in words what an item is, the best first. */
const titleFields = [
  'name',
  'full_name',
  'title',
  'display_name',
  'caption',
  'video_description',
  'text',
  'headline',
  'username',
] as const;

const maxLength = 100;

/** A text on one line, cut where it is long. */
export function oneLine(text: string, length = maxLength): string {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  const characters = [...line];
  return characters.length <= length
    ? line
    : `${characters
        .slice(0, length - 1)
        .join('')
        .trimEnd()}…`;
}

/** An item's title: its name, its title or the beginning of its text; else its ID. */
export function itemTitle(fields: Fields, id: string): string {
  const texts = titleFields.map((name) => fields[name]);
  const found = texts.find((text) => typeof text === 'string' && text.trim() !== '');
  return typeof found === 'string' ? oneLine(found) : id;
}
