import type { RpcRequest } from '@countersign/safe'
import type { Given } from '../given.ts'
import type { Simulate } from './simulate.ts'

/** The way to the node of a chain. */
export type ChainReader = (chainId: number) => RpcRequest

/** One thing that a review wants to know of the chain, under its name in the input of the review. */
export type Fact<Need, Answer> = {
  id: string
  /**
   * Need of this fact for this subject, as plain data, which is the only key of its answer. Null where there is
   * nothing to ask, or the Safe must be read first.
   */
  needs: (given: Given) => Need | null
  /**
   * Asks, all at once. It gives what was answered; what nobody answered is null or undefined in it, or the whole is
   * rejected: never an answer that nobody gave.
   */
  read: (chain: ChainReader, need: Need, simulate?: Simulate) => Promise<Answer>
  /** Whether it may be answered otherwise later without any event: then it is asked again. */
  isOpen?: (answer: Answer) => boolean
}

/** Keeps the types of a fact that is being written. */
export function defineFact<Need, Answer>(fact: Fact<Need, Answer>): Fact<Need, Answer> {
  return fact
}
