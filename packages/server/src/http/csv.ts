/** A download that is written as it is read: as long as it may be, it is never in memory whole. */
export function csvResponse(filename: string, lines: AsyncIterable<string>): Response {
  return new Response(ReadableStream.from(lines).pipeThrough(new TextEncoderStream()), {
    headers: {
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': `attachment; filename="${filename}"`,
      'cache-control': 'no-store',
    },
  })
}
