/** The pauses of a loop: whoever has work for it ends them early. */
export type Pause = {
  /** Ends the pause; when there is none, the next one. */
  wake: () => void
  /** Ends the pause and all that follow. */
  stop: () => void
  isStopped: () => boolean
  /** Waits so many milliseconds, and `least` of them also when it is woken. */
  rest: (milliseconds: number, least?: number) => Promise<void>
}

export function createPause(): Pause {
  let isStopped = false
  let isWoken = false
  let look = () => {}

  function wait(milliseconds: number, isOver: () => boolean): Promise<void> {
    return new Promise((resolve) => {
      if (milliseconds <= 0 || isOver()) return resolve()
      const timer = setTimeout(resolve, milliseconds)
      look = () => {
        if (!isOver()) return
        clearTimeout(timer)
        resolve()
      }
    })
  }

  return {
    wake() {
      isWoken = true
      look()
    },
    stop() {
      isStopped = true
      look()
    },
    isStopped: () => isStopped,
    async rest(milliseconds, least = 0) {
      await wait(Math.min(milliseconds, least), () => isStopped)
      await wait(milliseconds - least, () => isStopped || isWoken)
      isWoken = false
    },
  }
}
