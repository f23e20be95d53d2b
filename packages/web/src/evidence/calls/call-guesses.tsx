import { isSameAddress } from '@countersign/safe'
import { type Call, describeCall } from '@countersign/safe/calls'
import type { Address as AddressType } from 'viem'
import { type Names, nameOf } from '../../safe/names/names.ts'
import { text } from '../../safe/text.ts'
import { showUntrusted } from '../../text/untrusted.ts'
import { Address } from '../../ui/address.tsx'
import { TextLink } from '../../ui/text-link.tsx'
import { parsedAbi } from '../attribution/review-lists.ts'
import type { TeamAbi } from '../attribution/team-abis.ts'
import { BytecodeGuess } from './bytecode-guess.tsx'
import { ImportedGuess } from './imported-guess.tsx'

/** How others of the team read a call that the review does not read. None of it is part of the review. */
export function CallGuesses({ call, abis, names }: { call: Call; abis: readonly TeamAbi[]; names: Names }) {
  if (call.name !== null || call.problem !== null || call.data === '0x' || call.operation !== 0) return null
  const guesses = abis.flatMap((entry) => {
    if (!isSameAddress(entry.contract, call.to)) return []
    const { to, value, data, operation, from } = call
    const guess = describeCall({ to, value, data, operation, safeAddress: from, abis: [parsedAbi(entry)] })
    return guess.source === 'given' ? [{ author: entry.author, guess }] : []
  })
  return (
    <div className="mt-1 grid gap-2 text-small" data-call-guesses={guesses.length}>
      {guesses.map(({ author, guess }) => (
        <Guess key={author} author={author} guess={guess} names={names} />
      ))}
      {names.chain && <BytecodeGuess call={call} chainId={names.chain.chainId} />}
      <ImportedGuess call={call} />
      <p>
        {text(guesses.length > 0 ? 'call.guess.endorse' : 'call.guess.none')} <BookLink names={names} />
      </p>
    </div>
  )
}

function Guess({ author, guess, names }: { author: AddressType; guess: Call; names: Names }) {
  const said = guess.args.map(({ name, type, value }) => `${name || type}: ${value}`).join(', ')
  return (
    <div>
      <p className="wrap-anywhere">
        {text('call.guess', { function: showUntrusted(guess.name ?? '', 500) })}{' '}
        <span className="figures">{showUntrusted(said, 2_000)}</span>
      </p>
      <Address address={author} name={nameOf(author, names) ?? text('call.guess.stranger')} isCopyable={false} />
    </div>
  )
}

function BookLink({ names: { chain, safeAddress } }: { names: Names }) {
  if (!chain) return null
  return (
    <TextLink to="/safes/$chainId/$safeAddress/book" params={{ chainId: chain.chainId, safeAddress }}>
      {text('call.guess.book')}
    </TextLink>
  )
}
