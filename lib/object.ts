import * as z from 'zod';

const nothing = z.never();

/**
 * An object of the contract: exactly these keys. Its schemas are created on first use, because programs import some
 * twenty objects and a call reads one.
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
