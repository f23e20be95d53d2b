import type { UnreadBalance } from '@countersign/safe-core'
import { text } from './text.ts'

/** Why no balance stands there. */
export function unreadText(why: UnreadBalance): string {
  return text(`assets.${why}`)
}
