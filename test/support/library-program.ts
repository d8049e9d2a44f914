// A program that calls the library once and closes nothing: it must exit without help.
import { getShortvideoComments } from '../../lib/index.js';

const { data } = await getShortvideoComments({ id: process.argv[2] ?? '' });
console.log(data.length);
