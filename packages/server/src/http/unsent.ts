import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** Bytes that may wait for the connections of one network, and of all. An answer is at most a few of them. */
const MAX_OF_ONE = 32 * 1024 * 1024
const MAX_OF_ALL = 256 * 1024 * 1024

type Waiting = { network: string; bytes: number; forget: () => void }

/**
 * Bounds what is kept of answers that clients do not read. Above it connections end, those first that have waited longest: of
 * the network that has too much waiting, or of all.
 */
export type Unsent = { add: (network: string, response: ServerResponse) => void }

export function createUnsent(maxOfOne = MAX_OF_ONE, maxOfAll = MAX_OF_ALL): Unsent {
  /** Those that have waited longest come first. */
  const waiting = new Map<Socket, Waiting>()
  const ofNetworks = new Map<string, number>()
  let ofAll = 0

  function change(network: string, bytes: number): void {
    ofAll += bytes
    const left = (ofNetworks.get(network) ?? 0) + bytes
    if (left > 0) ofNetworks.set(network, left)
    else ofNetworks.delete(network)
  }

  function take(socket: Socket, bytes: number): void {
    const found = waiting.get(socket)
    if (!found) return
    found.bytes -= bytes
    change(found.network, -bytes)
    if (found.bytes > 0) return
    waiting.delete(socket)
    socket.off('close', found.forget)
  }

  function waitingOf(socket: Socket, network: string): Waiting {
    const known = waiting.get(socket)
    if (known) return known
    const made = { network, bytes: 0, forget: () => take(socket, made.bytes) }
    waiting.set(socket, made)
    socket.once('close', made.forget)
    return made
  }

  function end(isTooMuch: () => boolean, isOne: (network: string) => boolean): void {
    for (const [socket, { network, forget }] of waiting) {
      if (!isTooMuch()) return
      if (!isOne(network)) continue
      forget()
      socket.destroy()
    }
  }

  return {
    add(network, response) {
      const { req, writableLength: bytes } = response
      const { socket } = req
      if (bytes === 0 || socket.destroyed) return
      const found = waitingOf(socket, network)
      found.bytes += bytes
      change(found.network, bytes)
      response.once('close', () => take(socket, bytes))
      end(
        () => (ofNetworks.get(found.network) ?? 0) > maxOfOne,
        (one) => one === found.network,
      )
      end(
        () => ofAll > maxOfAll,
        () => true,
      )
    },
  }
}
