import { z } from 'zod'

/** A JSON Schema of the dialect 2020-12. */
export interface JsonSchema {
  readonly $schema: string
}

/**
 * The JSON Schema of what a schema reads (`input`) or of the documents that are made with it
 * (`output`). Where only code can check a value, any is allowed. Later versions may add fields to a
 * document, so only a strict schema forbids further ones.
 */
export function jsonSchemaOf(schema: z.ZodType, io: 'input' | 'output'): JsonSchema {
  const { $schema = '', ...rest } = z.toJSONSchema(schema, {
    io,
    unrepresentable: 'any',
    override({ zodSchema, jsonSchema }) {
      if (zodSchema instanceof z.ZodObject && zodSchema.def.catchall === undefined)
        delete jsonSchema.additionalProperties
    },
  })
  return { $schema, ...rest }
}
