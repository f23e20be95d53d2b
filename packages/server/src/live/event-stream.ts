const HEARTBEAT_MS = 20_000
/** Bytes that a client may leave unread before it is dropped; it then connects again and asks for everything. */
const BACKLOG_BYTES = 64 * 1024

/** One client's stream of server-sent events. */
export type EventStream = {
  response: Response
  /** Sends a text as it stands. Closes the stream of a client that leaves too much unread. */
  send: (text: string) => void
  close: () => void
}

/** Opens a stream of server-sent events. `onEnd` is called when either side ends it. */
export function openEventStream(onEnd: () => void): EventStream {
  const encoder = new TextEncoder()
  let controller: ReadableStreamDefaultController<Uint8Array> | undefined

  function stop(): void {
    clearInterval(heartbeat)
    onEnd()
  }
  function send(text: string): void {
    if ((controller?.desiredSize ?? 0) > 0) controller?.enqueue(encoder.encode(text))
    else close()
  }
  function close(): void {
    stop()
    try {
      controller?.close()
    } catch {
      // Closed by the other side already.
    }
  }

  const heartbeat = setInterval(() => send(': heartbeat\n\n'), HEARTBEAT_MS)
  heartbeat.unref()
  const body = new ReadableStream<Uint8Array>(
    {
      start(opened) {
        controller = opened
      },
      cancel: stop,
    },
    { highWaterMark: BACKLOG_BYTES, size: (chunk) => chunk.byteLength },
  )
  send('retry: 1000\n: connected\n\n')
  const response = new Response(body, {
    headers: {
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store, no-transform',
      'x-accel-buffering': 'no',
    },
  })
  return { response, send, close }
}
