import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { findingCatalogue } from './catalogue.ts'

type Planned = { id: string; fate: 'fires' }

const here = new URL('.', import.meta.url)
const table = new URL('../../vectors/verdicts/', here)
const planned: Planned[] = JSON.parse(readFileSync(new URL('catalogue.json', table), 'utf8'))
const tested = [
  ...['', 'kinds/', 'facts/', 'findings/', 'findings/simulation/', '../descriptors/'].flatMap((folder) =>
    readdirSync(new URL(folder || '.', here))
      .filter((name) => name.endsWith('.test.ts'))
      .map((name) => readFileSync(new URL(`${folder}${name}`, here), 'utf8')),
  ),
  ...readdirSync(table)
    .filter((name) => /^(?:ordinary|attack)-/.test(name))
    .map((name) => readFileSync(new URL(name, table), 'utf8')),
].join('\n')

describe('the findings that were planned', () => {
  it('are a hundred', () => {
    expect(new Set(planned.map(({ id }) => id)).size).toBe(100)
  })

  it('fire, each in a test', () => {
    for (const { id, fate } of planned) expect(id in findingCatalogue, id).toBe(fate === 'fires')
  })

  it('and every one besides them is asked for by a test or by the table of verdicts', () => {
    const silent = Object.keys(findingCatalogue).filter((id) => !new RegExp(`['"\` ]${id}['"\` ]`).test(tested))
    expect(silent).toEqual([])
  })
})
