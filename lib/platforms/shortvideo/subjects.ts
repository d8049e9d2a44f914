import { handleKey, isNumber, nameKey, orNull, type SubjectReader } from '../../subject-reader.js';
import { normalUsername, usernameOfUrl, videoIdOfUrl } from './urls.js';

/** The handle before a video in its address; `_` matches any. */
const ownerInAddress = (address: string) => /\/@([^/]+)\/(?:video|photo)\//.exec(address)?.[1];

/** Accounts by handle and number, videos by ID. */
export const subjects: SubjectReader = {
  ofAddress(address) {
    const video = videoIdOfUrl(address);
    const owner = video === null ? usernameOfUrl(address) : ownerInAddress(address);
    const name =
      owner == null || owner === '_' ? null : orNull(() => normalUsername(decodeURIComponent(owner)));
    return [...(video === null ? [] : [video]), ...(name === null ? [] : [handleKey(name)])];
  },
  ofWord(word) {
    if (isNumber(word)) return [word];
    const handle = orNull(() => normalUsername(word));
    return [handle === null || word.startsWith('name:') ? nameKey(word) : handleKey(handle)];
  },
};
