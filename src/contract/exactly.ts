import type { z } from 'zod'

/**
 * Ties a schema to the domain type it validates: compiles only where what the schema returns and `T` are assignable to each
 * other, so that neither can gain or lose a field or a name alone.
 */
export const exactly =
  <T>() =>
  <S extends z.ZodType<T>>(schema: [T] extends [z.output<S>] ? S : never): S =>
    schema
