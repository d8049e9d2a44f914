import * as z from 'zod';

const nothing = z.never();

/**
 * An object of the contract: exactly these keys. The schemas of its fields are created on first use. A program knows
 * some twenty objects by name, and a call reads one.
 */
export function object<Shape extends z.core.$ZodLooseShape>(
  fields: () => Shape,
): z.ZodObject<Shape, z.core.$strict> {
  return new z.ZodObject({
    type: 'object',
    get shape() {
      const shape = fields();
      Object.defineProperty(this, 'shape', { value: shape });
      return shape;
    },
    catchall: nothing,
  }) as z.ZodObject<Shape, z.core.$strict>;
}
