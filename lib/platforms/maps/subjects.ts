import { isNumber, nameKey, type SubjectReader } from '../../subject-reader.js';
import { cidOf, type FeatureId, featureId, featureIdOf, placeIdOf } from './ids.js';
import { keyInAddress } from './urls.js';

const cidKey = (cid: string) => `cid/${cid}`;
const keysOfPlace = (id: FeatureId) => [placeIdOf(id), cidKey(cidOf(id))];

/** Places by place_id and cid, contributors by number, and reviewers by display name. */
export const subjects: SubjectReader = {
  ofAddress(address) {
    const contributor = /\/maps\/contrib\/(\d{5,30})/.exec(address)?.[1];
    if (contributor !== undefined) return [contributor];
    const key = keyInAddress(address);
    if (key === null || 'link' in key) return [];
    return 'cid' in key ? [cidKey(key.cid)] : this.ofWord(key.id);
  },
  ofWord(word) {
    const feature = featureIdOf(word) ?? featureId(word);
    if (feature !== null) return keysOfPlace(feature);
    return [isNumber(word) || /^cid\/\d+$/.test(word) ? word : nameKey(word)];
  },
  spellings(key) {
    const id = featureIdOf(key);
    return id === null ? [] : [id];
  },
};
