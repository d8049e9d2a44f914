import { isNumber, nameKey, type SubjectReader } from '../../subject-reader.js';
import { postUrnOf } from './activity-id.js';
import { normalVanity, pageOfUrl } from './urls.js';

/** People and companies by their pages, posts and jobs by their IDs. A bare word means a person. */
export const subjects: SubjectReader = {
  ofAddress(address) {
    const page = pageOfUrl(address);
    if (page !== null) return [`${page.kind}/${page.vanity}`];
    if (!/^(?:https?:\/\/)?[\w.]*linkedin\.com\//i.test(address)) return [];
    const id = postUrnOf(address) ?? /\/jobs\/view\/(?:[^/?#]*-)?(\d{5,20})/.exec(address)?.[1];
    return id === undefined ? [] : [id];
  },
  ofWord(word) {
    const [, kind = 'in', name = word] = /^(in|company|school|showcase)\/(.+)$/i.exec(word) ?? [];
    if (isNumber(word) || word.startsWith('urn:li:')) return [word];
    const vanity = normalVanity(name);
    return [vanity === null ? nameKey(name) : `${kind.toLowerCase()}/${vanity}`];
  },
};
