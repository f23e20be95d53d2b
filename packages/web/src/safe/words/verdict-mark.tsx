import type { ShownVerdict } from './verdict-words.ts'

/** The colour of a verdict in a line of text: a list, a preview. */
export const verdictColours: Record<ShownVerdict, string> = {
  matches: 'text-accent',
  'matches-one-node': 'text-ink-soft',
  'matches-with-warnings': 'text-warning',
  'cannot-verify': 'text-unsure',
  'do-not-sign': 'text-danger [--stop:var(--paper)]',
}

/** A shape for each verdict, so that they are told apart without colour and before the words are read. */
export function VerdictMark({ of, size = 26 }: { of: ShownVerdict | 'checking'; size?: number }) {
  return (
    <svg
      aria-hidden="true"
      width={size}
      height={size}
      viewBox="0 0 20 20"
      fill="none"
      stroke="currentColor"
      strokeLinecap="round"
      strokeLinejoin="round"
      className="shrink-0"
    >
      {shapes[of]}
    </svg>
  )
}

const shapes = {
  matches: (
    <>
      <circle cx="10" cy="10" r="7.7" strokeWidth="1.7" />
      <path d="m6.600 10.300 2.400 2.400 4.600-5" strokeWidth="1.9" />
    </>
  ),
  'matches-one-node': (
    <>
      <path d="M10 2.300a7.700 7.700 0 0 1 0 15.400" strokeWidth="1.7" />
      <path d="M10 2.300a7.700 7.700 0 0 0 0 15.400" strokeWidth="1.7" strokeDasharray="1.6 2.4" />
      <path d="m6.600 10.300 2.400 2.400 4.600-5" strokeWidth="1.9" />
    </>
  ),
  'matches-with-warnings': (
    <>
      <path d="M10 2.600 18.200 17H1.800z" strokeWidth="1.7" />
      <path d="M10 7.800v4.200M10 14.400v.1" strokeWidth="1.9" />
    </>
  ),
  'cannot-verify': (
    <>
      <circle cx="10" cy="10" r="7.7" strokeWidth="1.7" strokeDasharray="3.4 2.65" />
      <path
        d="M7.900 8c.2-1.300 1-2 2.200-2 1.300 0 2.200.8 2.200 1.900 0 1.600-2.100 1.700-2.100 3.300M10.200 13.800v.1"
        strokeWidth="1.7"
      />
    </>
  ),
  'do-not-sign': (
    <>
      <path
        d="M6.700 1.800h6.600l4.900 4.900v6.600l-4.900 4.900H6.700l-4.900-4.900V6.700z"
        fill="currentColor"
        stroke="none"
      />
      <path d="M6 10h8" stroke="var(--stop)" strokeWidth="2.4" />
    </>
  ),
  checking: (
    <>
      <circle cx="10" cy="10" r="7.7" strokeWidth="1.7" strokeOpacity="0.35" />
      <path d="M10 2.300A7.700 7.700 0 0 1 17.700 10" strokeWidth="1.9" />
    </>
  ),
} satisfies Record<ShownVerdict | 'checking', unknown>
