import { CountersignError } from '@countersign/safe'
import { describe, expect, test } from 'vitest'
import { saveNames, type TypedName } from './save-names.ts'

const names: TypedName[] = [
  { address: '0x1111111111111111111111111111111111111111', name: 'Treasury' },
  { address: '0x2222222222222222222222222222222222222222', name: 'Anna' },
  { address: '0x3333333333333333333333333333333333333333', name: 'Bruno' },
]
const error = (code: string, data: Record<string, unknown> = {}) => new CountersignError(code, code, { data })

/** Writes names; `answers` are the errors of the first requests for a name. */
function writer(answers: Record<string, Error[]>) {
  const written: string[] = []
  const write = async ({ name }: TypedName) => {
    const answer = answers[name]?.shift()
    if (answer) throw answer
    written.push(name)
  }
  return { written, write }
}

describe('saveNames', () => {
  test('writes all names in their order', async () => {
    const { written, write } = writer({})
    expect(await saveNames(names, write)).toEqual([])
    expect(written).toEqual(['Treasury', 'Anna', 'Bruno'])
  })

  test('goes on after a refused name, and returns each with its error', async () => {
    const [invalid, away] = [error('INVALID_REQUEST'), error('SERVER_UNREACHABLE')]
    const { written, write } = writer({ Treasury: [invalid], Bruno: [away] })
    const refused = await saveNames(names, write)
    expect(refused).toEqual([
      { ...names[0], error: invalid },
      { ...names[2], error: away },
    ])
    expect(written).toEqual(['Anna'])
    expect(await saveNames(refused, write)).toEqual([])
    expect(written).toEqual(['Anna', 'Treasury', 'Bruno'])
  })

  test('waits and asks again after too many requests', async () => {
    const { written, write } = writer({ Anna: [error('RATE_LIMITED', { retryAfterSeconds: 0 })] })
    expect(await saveNames(names, write)).toEqual([])
    expect(written).toEqual(['Treasury', 'Anna', 'Bruno'])
  })

  test('throws a fault of the page', async () => {
    await expect(saveNames(names, writer({ Anna: [new TypeError('x')] }).write)).rejects.toThrow(TypeError)
  })
})
