/**
 * The room `media` loads the catalogue of media that comes with Stowage.
 * How: each file of `assets/media` is checked against a schema when it is loaded.
 * Not here: variants, sizes, speeds and prices (`src/domain/media`).
 */

import { z } from 'zod'
import bdR25 from '../../../assets/media/bd-r-25.json'
import bdR50 from '../../../assets/media/bd-r-50.json'
import bdxl100 from '../../../assets/media/bdxl-100.json'
import bdxl128 from '../../../assets/media/bdxl-128.json'
import cd650 from '../../../assets/media/cd-650.json'
import cd700 from '../../../assets/media/cd-700.json'
import dvdMinusR from '../../../assets/media/dvd-r.json'
import dvdMinusRDl from '../../../assets/media/dvd-r-dl.json'
import dvdPlusR from '../../../assets/media/dvd+r.json'
import dvdPlusRDl from '../../../assets/media/dvd+r-dl.json'
import { MEDIUM_FAMILIES, MEDIUM_KINDS, type MediaCatalogue, SPEED_PROFILES } from '../../domain/media/medium'

const idSchema = z.string().regex(/^[a-z0-9+-]+$/)
const capacitySchema = z.strictObject({
  capacitySectors: z.number().int().positive(),
  source: z.string().min(1),
  note: z.string().min(1),
})
const speedSchema = z.strictObject({
  speed: z.number().positive(),
  profile: z.enum(SPEED_PROFILES),
  lowSpeed: z.number().positive(),
  highSpeed: z.number().positive(),
})
const driveSchema = z.strictObject({
  oneSpeedBytesPerSecond: z.number().int().positive(),
  write: speedSchema,
  read: speedSchema,
  volumeSeconds: z.strictObject({
    value: z.number().positive(),
    low: z.number().nonnegative(),
    high: z.number().positive(),
  }),
  source: z.string().min(1),
})
const descriptionSchema = z.strictObject({
  id: idSchema,
  name: z.string().min(1),
  family: z.enum(MEDIUM_FAMILIES),
  kind: z.enum(MEDIUM_KINDS),
  sectorBytes: z.number().int().positive(),
  layers: z.number().int().min(2).max(4).optional(),
  drive: driveSchema,
  default: capacitySchema,
  variants: z.array(
    capacitySchema.extend({ id: idSchema, name: z.string().min(1), halfSpeed: z.literal(true).optional() }),
  ),
})

/**
 * The media that come with Stowage, in the order of their capacity; checked when the module is
 * loaded.
 */
export const mediaCatalogue: MediaCatalogue = z
  .array(descriptionSchema)
  .parse([cd650, cd700, dvdPlusR, dvdMinusR, dvdMinusRDl, dvdPlusRDl, bdR25, bdR50, bdxl100, bdxl128])
