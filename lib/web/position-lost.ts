/**
 * A page that was opened anew never asks for the part of the list that was to come next. The platform's tokens do not
 * hold from one visit to another. The list is gone on with from what was seen of it.
 */
export class PositionLost extends Error {
  override readonly name = 'PositionLost';
}
