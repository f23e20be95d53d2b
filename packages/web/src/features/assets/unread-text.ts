import type { TokenReading } from '@countersign/safe'
import { text } from './text.ts'

/** Why no balance stands there. */
export function unreadText(why: Exclude<TokenReading['balance'], bigint>): string {
  return text(`assets.${why}`)
}
