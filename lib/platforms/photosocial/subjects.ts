import { handleKey, isNumber, nameKey, orNull, type SubjectReader } from '../../subject-reader.js';
import { publicCode } from './shortcode.js';
import { accountOfPostUrl, normalUsername, postOfUrl, usernameOfUrl } from './urls.js';

const postKey = (shortcode: string) => `p/${publicCode(shortcode)}`;

/** Accounts by handle and number, posts by code. */
export const subjects: SubjectReader = {
  ofAddress(address) {
    const post = postOfUrl(address);
    const owner = accountOfPostUrl(address);
    const account = usernameOfUrl(address) ?? (owner === null ? null : orNull(() => normalUsername(owner)));
    const accounts = account === null ? [] : [handleKey(account)];
    return post !== null && 'shortcode' in post ? [postKey(post.shortcode), ...accounts] : accounts;
  },
  ofWord(word) {
    const code = /^p\/([\w-]{1,64})$/.exec(word)?.[1];
    if (code !== undefined) return [postKey(code)];
    if (isNumber(word)) return [word];
    const handle = orNull(() => normalUsername(word));
    return [handle === null ? nameKey(word) : handleKey(handle)];
  },
};
