import type { UnreadBalance } from '@countersign/safe'
import { text } from './text.ts'

/** Why no balance stands there. */
export function unreadText(why: UnreadBalance): string {
  return text(`assets.${why}`)
}
