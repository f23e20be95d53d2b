/** An error for the log: no URLs, which may hold keys, and no query parameters, which may hold signatures. */
export function toLogEntry(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { name: typeof error }
  const isQuery = error.message.startsWith('Failed query')
  const text = isQuery
    ? 'A database query failed.'
    : 'shortMessage' in error
      ? String(error.shortMessage)
      : error.message
  return {
    name: error.name,
    message: text.replace(/\b[a-z]+:\/\/[^\s"'`]+/gi, '[url]'),
    ...('code' in error ? { code: error.code } : {}),
    ...(isQuery || 'shortMessage' in error
      ? {}
      : {
          stack: error.stack
            ?.split('\n')
            .slice(1, 8)
            .map((line) => line.trim()),
        }),
    ...(error.cause ? { cause: toLogEntry(error.cause) } : {}),
  }
}
