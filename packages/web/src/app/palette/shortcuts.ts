import type { AnyRouter } from '@tanstack/react-router'
import type { Place } from '../shell/place.ts'
import { pathOf, records, work } from '../shell/sections.ts'

/** Shortcuts in groups, as they are listed; the label is a text of `workspace.json`. */
export const shortcuts = [
  { keys: ['Ctrl', 'K'], label: 'keys.palette' },
  { keys: ['?'], label: 'keys.list' },
  { keys: ['g', 's'], label: 'keys.safes' },
  { keys: ['g', 'h'], label: 'keys.home' },
  { keys: ['g', 'q'], label: 'keys.queue' },
  { keys: ['g', 'y'], label: 'keys.history' },
  { keys: ['g', 'a'], label: 'keys.assets' },
  { keys: ['g', 'm'], label: 'keys.messages' },
  { keys: ['g', 'b'], label: 'keys.book' },
  { keys: ['g', 't'], label: 'keys.team' },
  { keys: ['g', 'v'], label: 'keys.activity' },
  { keys: ['g', 'e'], label: 'keys.settings' },
  { keys: ['n'], label: 'keys.new' },
  { keys: ['j'], label: 'keys.next' },
  { keys: ['k'], label: 'keys.previous' },
  { keys: ['c'], label: 'keys.decide' },
  { keys: ['/'], label: 'keys.search' },
] as const

const sectionKeys: Record<string, string> = {
  h: '',
  q: '/queue',
  y: '/history',
  ...Object.fromEntries(
    [...work, ...records].flatMap(({ id, path }) => {
      const key = { assets: 'a', messages: 'm', book: 'b', team: 't', activity: 'v', settings: 'e' }[id]
      return key ? [[key, path]] : []
    }),
  ),
}

/** Does what a shortcut stands for, where it stands for something on this page. */
export function runShortcut(keys: string, router: AnyRouter, place: Place | null): void {
  const [first, second] = keys.split(' ')
  const path = first === 'g' && second !== undefined ? sectionKeys[second] : undefined
  const go = (to: string, params: Place | null) => void router.navigate({ to, ...(params ? { params } : {}) })
  if (keys === 'g s') go('/', null)
  else if (path !== undefined && place) go(pathOf({ path }), place)
  else if (keys === 'n' && place) go(pathOf({ path: '/new' }), place)
  else if (keys === '/') document.querySelector<HTMLElement>('main input[type="search"]')?.focus()
  else if (keys === 'c') moveToDecision()
  else if (keys === 'j' || keys === 'k') moveToRow(keys === 'j' ? 1 : -1)
}

/** Gives the focus to what comes next below a review: an open point, or the button. It presses nothing. */
function moveToDecision(): void {
  const next = ['[data-confirm]', '[data-execution]', '[data-next]']
    .flatMap((part) => [...document.querySelectorAll<HTMLElement>(`main ${part} :is(input, button, a[href])`)])
    .find((control) => !control.matches(':disabled'))
  next?.focus()
  next?.scrollIntoView({ block: 'center' })
}

/** Gives the focus to the first link of the next row of a list. */
function moveToRow(step: 1 | -1): void {
  const rows = [
    ...document.querySelectorAll<HTMLElement>('main [data-row], main [data-safe] article, main article[data-safe]'),
  ]
  const at = rows.findIndex((row) => row.contains(document.activeElement))
  const next = rows[at < 0 ? (step > 0 ? 0 : rows.length - 1) : at + step]
  next?.querySelector<HTMLElement>('a[href]')?.focus()
}
