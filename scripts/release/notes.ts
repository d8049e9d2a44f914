// The section of the changelog for a version.

/** Returns the notes of `version` from CHANGELOG.md: the text below its heading. Throws if it has no section. */
export function notesOf(changelog: string, version: string): string {
  const heading = new RegExp(`^## ${version.replaceAll('.', '\\.')}(?:,.*)?$`, 'm').exec(changelog);
  if (heading === null) throw new Error(`CHANGELOG.md has no section for ${version}`);
  const [notes = ''] = changelog.slice(heading.index + heading[0].length).split(/^## /m);
  if (notes.trim() === '') throw new Error(`CHANGELOG.md says nothing of ${version}`);
  return `${notes.trim()}\n`;
}
