/** A download that nobody reads on gives its place to another after this time. */
const PLACE_MS = 60_000

/**
 * A download that is written as it is read: as long as it may be, it is never in memory whole.
 *
 * @param enter takes a place among the downloads; what it returns gives it back
 */
export async function csvResponse(
  filename: string,
  lines: AsyncIterable<string>,
  enter: () => Promise<() => void>,
): Promise<Response> {
  const leave = await enter()
  setTimeout(leave, PLACE_MS).unref()
  const body = ReadableStream.from(withPlace(lines, leave)).pipeThrough(new TextEncoderStream())
  return new Response(body, {
    headers: {
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': `attachment; filename="${filename}"`,
      'cache-control': 'no-store',
    },
  })
}

async function* withPlace(lines: AsyncIterable<string>, leave: () => void): AsyncGenerator<string> {
  try {
    yield* lines
  } finally {
    leave()
  }
}
