import type pg from 'pg'

/** A process that was itself stopped finds its timers due before it has read what came meanwhile. */
const MOMENT_MS = 250

type Callback = (error: Error | undefined, client: pg.PoolClient | undefined, done: (release?: unknown) => void) => void

/**
 * Gives up waiting for a connection when nobody got one for so long. While others get one after the other, a request waits
 * as long as the pool lets it: a machine that is busy is none whose PostgreSQL hangs.
 */
export function limitConnectionWait(pool: pg.Pool, milliseconds: number): void {
  let servedAt = performance.now()
  pool.on('acquire', () => {
    servedAt = performance.now()
  })
  const connect = pool.connect.bind(pool)

  function take(): Promise<pg.PoolClient> {
    const startedAt = performance.now()
    return new Promise((resolve, reject) => {
      let isGivenUp = false
      let isOverdue = false
      const look = () => {
        const left = Math.max(startedAt, servedAt) + milliseconds - performance.now()
        if (left > 0 || !isOverdue) {
          isOverdue = left <= 0
          timer = setTimeout(look, Math.max(left, MOMENT_MS))
          return
        }
        isGivenUp = true
        reject(Object.assign(new Error('Nobody gets a connection to PostgreSQL'), { code: 'ETIMEDOUT' }))
      }
      let timer = setTimeout(look, milliseconds)
      connect().then(
        (client) => {
          clearTimeout(timer)
          if (isGivenUp) client.release()
          else resolve(client)
        },
        (error: unknown) => {
          clearTimeout(timer)
          reject(error)
        },
      )
    })
  }

  function takeOrFail(): Promise<pg.PoolClient>
  function takeOrFail(callback: Callback): void
  function takeOrFail(callback?: Callback): Promise<pg.PoolClient> | undefined {
    const taken = take()
    if (!callback) return taken
    taken.then(
      (client) => callback(undefined, client, () => client.release()),
      (error) => callback(error, undefined, () => {}),
    )
    return undefined
  }
  pool.connect = takeOrFail
}
