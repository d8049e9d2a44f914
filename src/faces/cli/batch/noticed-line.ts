import type { ItemSource } from '../../../../lib/read/item-source.js';
import type { InputResult } from '../../../files/batch-files/line-format.js';
import type { Changes } from '../../../lines/memory/changes.js';
import type { NoticedLine } from '../../../service/notify/notice-collector.js';

/** A result of a batch as alerts tell of it; one that failed has no items. */
export function noticedLine({ item, json, sources, changed }: InputResult): NoticedLine {
  return {
    input: JSON.parse(item.echo),
    own: item.own,
    data: json === null ? null : JSON.parse(json),
    sources: sources === undefined ? [] : (JSON.parse(sources) as readonly ItemSource[]),
    changed: changed === undefined ? null : (JSON.parse(changed) as Changes),
  };
}
