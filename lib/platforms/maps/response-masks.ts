import { m, type ProtobufPart } from './protobuf.js';

/**
 * The field masks of responses: the part of `pb` that all requests share, as the web application sent it in July 2026,
 * without its session tokens. Shorter masks get fewer fields.
 */

/** Pictures: their kinds and sizes. */
// biome-ignore format: groups are easier to compare with a recorded request when they stand in lines
const pictures: readonly ProtobufPart[] = [
  m(2, '1i203', '2i100'), m(3, '2i4', '5b1'), m(6, m(1, '1i86', '2i86'), m(1, '1i408', '2i240')),
  m(7,
    m(1, '1e1', '2b0', '3e3'), m(1, '1e2', '2b1', '3e2'), m(1, '1e2', '2b0', '3e3'),
    m(1, '1e8', '2b0', '3e3'), m(1, '1e10', '2b0', '3e3'), m(1, '1e10', '2b1', '3e2'),
    m(1, '1e10', '2b0', '3e4'), m(1, '1e9', '2b1', '3e2'), '2b1',
  ),
  '9b0', m(15, m(1, m(1, m(1, '1e2')), m(2, '1i195', '2i195'), '3i20')),
];

/** The facts of a place. */
// biome-ignore format: as above
const facts: readonly ProtobufPart[] = [
  m(10, '8e3'), m(11, '3e1'), '17b1', m(20, '1e3', '1e6'), '24b1', '25b1', '26b1', '27b1', '29b1',
  m(30, '2b1'), '36b1', '37b1', m(39, m(2, '2i1', '3i1')), '43b1', '52b1', m(54, '1b1'), '55b1',
  m(56, '1b1'), m(61, m(1, '1e1')), m(65, m(3, m(1, m(1, '1i224', '2i298')))),
  m(72,
    m(1, '2b1', '5b1', '7b1', m(12, '1b1', '2b1', m(4, '1e1'))), '4b1',
    m(8,
      m(1, m(4, '1e1'), m(4, '1e3'), m(4, '1e4')),
      '3sother_user_google_review_posts__and__hotel_and_vr_partner_review_posts', m(6, '1e1'),
    ),
    '9b1',
  ),
  '89b1', m(90, m(1, '1e2')), m(98, '1b1', '2b1', '3b1'), '103b1', '113b1',
  m(114, '1b1', m(2, '1b1')), '117b1', m(122, '1b1'), '126b1', '127b1', m(128, '1b1'),
];

/** The mask of a search, after the words, the camera and the page: rows with every field a row can have. */
// biome-ignore format: as above
export const searchMask: readonly ProtobufPart[] = [
  m(12,
    m(1, '18b1', '30b1', m(31, '1b1'), '34e1'), m(2, m(5, '6e2'), '20e3', '39b1'),
    m(6,
      '32i1', '49b1', m(63), '66b1', '85b1', '114b1', '149b1', '206b1', '209b1', '212b1', '215b1',
      '216b1', '222b1', '223b1', '232b1', '234b1', '235b1', '239b1', '246b1', '253b1', '260b1',
      '266b1', '270b1', '273b1', '280b1', '281b1', '286b1', m(291), '302i300', '303i100',
    ),
    '10b1', '12b1', '13b1', '14b1', '16b1', m(17, '3e1'), m(20, '5e2', '6b1', '8b1', '14b1'),
    m(46, '1b0'), '96b1', '99b1',
  ),
  m(19, m(2, '1i360', '2i120', '4i8')),
  m(20, ...pictures),
  '15i9937',
  m(24,
    m(1,
      m(13, '2b1', '3b1', '4b1', '6i1', '8b1', '9b1', '14b1', '20b1', '25b1'),
      m(18,
        '3b1', '4b1', '5b1', '6b1', '13b1', '14b1', '17b1', '21b1', '22b1', '32b1', m(33, '1b1'),
        '34b1', '36e2',
      ),
    ),
    ...facts,
  ),
  m(26, m(2, '1i80', '2i92', '4i8')),
  m(30,
    m(1, m(1, '1i0', '2i0'), m(2, '1i530', '2i768')),
    m(1, m(1, '1i974', '2i0'), m(2, '1i1024', '2i768')),
    m(1, m(1, '1i0', '2i0'), m(2, '1i1024', '2i20')),
    m(1, m(1, '1i0', '2i748'), m(2, '1i1024', '2i768')),
  ),
  m(34,
    '2b1', '3b1', '4b1', '6b1', m(8, '1b1', '3b1', '4b1', '5b1', '6b1', '7b1'), '9b1', '12b1', '14b1',
    '20b1', '23b1', '25b1', '26b1', '31b1',
  ),
  m(37, '1e81'), '42b1', m(49, '3b1', m(6, '1b1', '2b1'), m(7, '1e3', '2b1'), '8b1', '9b1', '10e2'),
  m(50, '2e2', m(3, '3b1')), '61b1', m(67, '7b1', '10b1', '14b1', m(15, '1b0')), '69i788', '77b1',
];

/** The mask of a place, after its id: all tabs, and the first 20 photos (group 15 in 13). */
// biome-ignore format: as above
export const placeMask: readonly ProtobufPart[] = [
  m(12, m(2, '1i360', '2i120', '4i8')),
  m(13, ...pictures),
  m(14, '7e81'),
  m(15,
    m(1,
      m(13, '2b1', '3b1', '4b1', '6i1', '8b1', '9b1', '14b1', '20b1', '25b1'),
      m(18,
        '3b1', '4b1', '5b1', '6b1', '9b1', '13b1', '14b1', '17b1', '20b1', '21b1', '22b1', '30b1',
        '32b1', m(33, '1b1'), '34b1', '36e2',
      ),
    ),
    ...facts,
  ),
  m(22, '1e81'), m(29), m(30, '3b1', m(6, '2b1'), m(7, '2b1'), '9b1'),
  m(34, '7b1', '10b1', '14b1', m(15, '1b0')), '37i788',
];

/** Kinds and sizes of pictures that the gallery's own request asks for. */
// biome-ignore format: one line
export const galleryFlags = [[[1, 0, 3], [2, 1, 2], [2, 0, 3], [8, 0, 3], [10, 0, 3], [10, 1, 2], [10, 0, 4], [9, 1, 2]], 1] as const;
