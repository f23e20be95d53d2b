import { createLink } from '@tanstack/react-router'
import type { ComponentProps } from 'react'

const looks = {
  /** In a sentence, or around what is shown anyway. */
  plain: 'inline-block min-h-6 max-w-full',
  /** The way to what comes next. */
  action: 'inline-block min-h-6 font-semibold text-accent',
  /** A link that stands alone: as high as a button. */
  target: 'inline-flex min-h-11 shrink-0 items-center font-semibold text-accent',
  /** Subject of a row. */
  title: 'inline-block min-h-6 text-lead font-semibold wrap-anywhere',
  /** Subject of a dense row: one line, except where it is narrow. */
  row: 'block min-h-6 font-semibold leading-6 wrap-anywhere @3xl:truncate',
  rowDanger: 'block min-h-6 font-semibold leading-6 text-danger wrap-anywhere @3xl:truncate',
  /** Subject of a row that would do harm. */
  danger: 'inline-block min-h-6 text-lead font-semibold text-danger wrap-anywhere',
}

type AnchorProps = Omit<ComponentProps<'a'>, 'className' | 'style'> & { look?: keyof typeof looks }

/** A link in the text, to a file or a place on the page. What leaves the product is an `ExternalLink`. */
export function TextAnchor({ look = 'plain', ...rest }: AnchorProps) {
  const isRow = look === 'row' || look === 'rowDanger'
  return <a {...rest} className={`${isRow ? 'hover:underline underline-offset-4' : underlined} ${looks[look]}`} />
}

/** The one look of a link that is not a button. */
export const underlined = 'underline decoration-rule-strong underline-offset-4 hover:decoration-current'

/** A link in the text, to a page. */
export const TextLink = createLink(TextAnchor)
