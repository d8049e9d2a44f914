import { itemsOf, type Writer, type WriterOptions } from './writer.js';

/**
 * Writes a card for one object, a table for a list. All pages share their columns, so nothing is written before the
 * last.
 */
export function tableWriter({ output, selection, stdout, writeNote }: WriterOptions): Writer {
  const items: unknown[] = [];
  let pages = 0;
  let empty = 'No items.';
  return {
    async add(answer) {
      pages += 1;
      empty = answer.empty ?? empty;
      items.push(...itemsOf(answer, selection));
    },
    async end() {
      if (pages === 0) return;
      const { drawCard, drawList } = await import('../view/draw.js');
      if (!selection.many) {
        await stdout.write(drawCard(items[0], output));
        return;
      }
      if (items.length === 0) {
        await writeNote(empty);
        return;
      }
      const { parts, omitted, further } = drawList(items, selection, output);
      for (const part of parts) await stdout.write(part);
      const more = omitted.length + further.length;
      if (more > 0) await writeNote(`+${more} columns: --json shows all, --fields chooses.`);
    },
  };
}
