import { textOrNull } from '../../read/convert.js';
import { at, listAt } from '../../read/json.js';
import type { MapsPlaceDetail } from './objects.js';
import { place } from './paths.js';

type Section = NonNullable<MapsPlaceDetail['about']>[number];
type Attribute = Section['attributes'][number];

/** Kinds of an attribute's value: yes or no, one of several, or all that apply. */
const yesOrNo = 1;
const oneOf = 2;
const anyOf = 3;

const flag = (value: unknown) => (value === 1 ? true : value === 0 ? false : null);

function attribute(name: unknown, available: boolean | null): Attribute[] {
  const text = textOrNull(name);
  return text === null ? [] : [{ name: text, available }];
}

/**
 * [ontology path, label, value, negated, …] → attributes. The value has one of three kinds.
 *
 *   [1, [[1 has or 0 has not, words]]]
 *   [2, _, _, [id, _, name]]                                          the kind that applies (“Free Wi-Fi”)
 *   [3, _, _, _, [_, [[[[id, _, name]…], _, [1 has]]…]]]              all that apply (cards that are taken)
 */
function attributesOf(item: unknown): Attribute[] {
  const value = at(item, 2);
  const kind = at(value, 0);
  if (kind === oneOf) return attribute(at(value, 3, 2), at(item, 3) !== 1);
  // A value at the next index means that the list has moved.
  if (Array.isArray(at(item, 3))) return [];
  if (kind === yesOrNo || !Array.isArray(value)) return attribute(at(item, 1), flag(at(value, 1, 0, 0)));
  if (kind !== anyOf) return [];
  return listAt(value, 4, 1).flatMap((group) =>
    listAt(group, 0).flatMap((choice) => attribute(at(choice, 2), flag(at(group, 2, 0)))),
  );
}

/** Reads the About tab: [group id, title, items] per section. Null if none can be read. */
export function aboutTab(node: unknown): Section[] | null {
  const sections: Section[] = [];
  for (const group of listAt(node, ...place.about)) {
    const section = textOrNull(at(group, 1));
    // Only attributes have an ontology path, so the list of sections has moved.
    if (section === null || textOrNull(at(group, 0))?.startsWith('/') === true) continue;
    const attributes = listAt(group, 2).flatMap(attributesOf);
    if (attributes.length > 0) sections.push({ section, attributes });
  }
  return sections.length > 0 ? sections : null;
}
