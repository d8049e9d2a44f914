// The section of the changelog that tells of a version.

/** The notes of `version` in the text of CHANGELOG.md: what stands below its heading. Throws where it has no section. */
export function notesOf(changelog: string, version: string): string {
  const heading = new RegExp(`^## ${version.replaceAll('.', '\\.')}(?:,.*)?$`, 'm').exec(changelog);
  if (heading === null) throw new Error(`CHANGELOG.md has no section for ${version}`);
  const [notes = ''] = changelog.slice(heading.index + heading[0].length).split(/^## /m);
  if (notes.trim() === '') throw new Error(`CHANGELOG.md says nothing of ${version}`);
  return `${notes.trim()}\n`;
}
