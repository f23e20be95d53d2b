import { type Code, deploymentAt, type SafeCreation } from '@countersign/safe'
import { type Address as AddressType, zeroAddress } from 'viem'
import { Address, Hash } from '../../ui/address.tsx'
import { Fact, Facts } from '../../ui/facts.tsx'
import { text } from './text.ts'

/** The contracts of which a Safe is made: address, the hash of the code that the chain has there, and which release it is. */
export function CreationContracts({
  creation,
  codes,
}: {
  creation: SafeCreation | null
  codes: Readonly<Record<string, Code | undefined>> | undefined
}) {
  if (creation === null) return null
  const { factory, singleton, setup } = creation
  const parts: [label: string, address: AddressType | undefined][] = [
    [text('create.contract.factory'), factory?.address],
    [text('create.contract.singleton'), singleton],
    [text('create.contract.handler'), setup?.fallbackHandler],
    [text('create.contract.runs'), setup?.to],
  ]
  return (
    <Facts>
      {parts.map(([label, address]) => {
        if (address === undefined || address === zeroAddress) return null
        const release = deploymentAt(address)
        const codeHash = codes?.[address.toLowerCase()]?.codeHash
        const isOfficial = release !== null && codeHash !== undefined && codeHash === release.codeHash
        return (
          <Fact
            key={label}
            label={label}
            hint={
              isOfficial
                ? text('create.contract.official', { name: release.name, version: release.version })
                : text('create.contract.other')
            }
          >
            <Address address={address} />
            {codeHash !== undefined && (
              <p data-code-hash={codeHash}>
                <Hash hash={codeHash} />
              </p>
            )}
          </Fact>
        )
      })}
      {setup && creation.saltNonce !== null && (
        <Fact label={text('create.salt')}>
          <span className="figures">{String(creation.saltNonce)}</span>
        </Fact>
      )}
    </Facts>
  )
}
