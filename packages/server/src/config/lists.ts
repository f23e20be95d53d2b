import { resolve } from 'node:path'
import { z } from 'zod'
import { type FunctionList, readFunctionList } from '../function-list.ts'
import { openListFile, type TokenListSettings } from '../token-lists/settings.ts'
import { YEAR_HOURS } from './durations.ts'
import { type Fault, readOrFault } from './fault.ts'
import { webUrl } from './urls.ts'

const MAX_TOKEN_LISTS = 20

export const tokenLists = z
  .array(
    z
      .strictObject({
        url: webUrl.optional(),
        file: z.string().min(1).max(4_096).optional(),
        everyHours: z.number().min(0.05).max(YEAR_HOURS).default(24),
      })
      .refine(({ url, file }) => (url === undefined) !== (file === undefined), 'must name a `url` or a `file`'),
  )
  .max(MAX_TOKEN_LISTS)
  .refine(
    (lists) => new Set(lists.map(({ url, file }) => url ?? file)).size === lists.length,
    'must not name a list twice',
  )

export function parseFunctionList(path: string | undefined, faults: Fault[]): FunctionList | null {
  if (path === undefined) return null
  return readOrFault(`functionList \`${path}\``, faults, () => readFunctionList(resolve(path)))
}

export function parseTokenLists(given: z.output<typeof tokenLists>, faults: Fault[]): TokenListSettings[] {
  return given.flatMap(({ url, file = '', everyHours }): TokenListSettings[] => {
    if (url !== undefined) return [{ kind: 'url', url: new URL(url), everyHours }]
    const list = readOrFault(`tokenLists \`${file}\``, faults, () => openListFile(resolve(file)))
    return list === null ? [] : [{ kind: 'file', path: file, list }]
  })
}
