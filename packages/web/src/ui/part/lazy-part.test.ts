import { createElement } from 'react'
import { renderToReadableStream } from 'react-dom/server.edge'
import { describe, expect, test, vi } from 'vitest'
import { forgetFailedParts, lazyPart } from './lazy-part.tsx'

/** Draws it as a browser would, until all of it is there or has failed. */
async function draw(Part: Parameters<typeof createElement>[0]): Promise<string> {
  try {
    const drawn = await renderToReadableStream(createElement(Part), { onError: () => {} })
    await drawn.allReady
    return await new Response(drawn).text()
  } catch (error) {
    return String(error)
  }
}

describe('lazyPart', () => {
  test('default: loads once, when it is first drawn', async () => {
    const load = vi.fn(async () => () => createElement('p', null, 'here'))
    const Part = lazyPart(load)
    expect(load).not.toHaveBeenCalled()
    expect(await draw(Part)).toContain('here')
    expect(await draw(Part)).toContain('here')
    expect(load).toHaveBeenCalledOnce()
  })

  test('behavior: requests a failed part again only after a retry, not with each drawing', async () => {
    const load = vi.fn(async () => () => createElement('p', null, 'here'))
    load.mockRejectedValueOnce(new Error('lost')).mockRejectedValueOnce(new Error('lost again'))
    const Part = lazyPart(load)
    for (const _ of [1, 2, 3]) expect(await draw(Part)).toBe('Error: lost')
    expect(load).toHaveBeenCalledOnce()
    forgetFailedParts()
    expect(await draw(Part)).toBe('Error: lost again')
    forgetFailedParts()
    expect(await draw(Part)).toContain('here')
    forgetFailedParts()
    expect(await draw(Part)).toContain('here')
    expect(load).toHaveBeenCalledTimes(3)
  })
})
