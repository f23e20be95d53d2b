import { addAbi, type Role, removeAbi } from '@countersign/contract'
import { abiTypedData } from '@countersign/review'
import { writeAbiDeclaration } from '@countersign/safe'
import { parseGivenAbiJson } from '@countersign/safe/calls'
import { useQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import type { Address as AddressType } from 'viem'
import { api } from '../../api/client.ts'
import { abisQuery } from '../../evidence/attribution/team-abis.ts'
import { requireSigner } from '../../review/sign/sign.ts'
import { groupSame, keyOfAbi } from '../../safe/names/endorsement.ts'
import { signAsAccount } from '../../safe/sign-as-account.ts'
import { useTeamChange } from '../../safe/team-change.ts'
import { showUntrusted } from '../../text/untrusted.ts'
import { Address } from '../../ui/address.tsx'
import { Empty } from '../../ui/empty.tsx'
import { AddressField } from '../../ui/form/address-field.tsx'
import { Field, TextField } from '../../ui/form/field.tsx'
import { useForm } from '../../ui/form/form.tsx'
import { parseAddressField, parseRequired } from '../../ui/form/typed-field.ts'
import { List } from '../../ui/list.tsx'
import { Problem } from '../../ui/problem.tsx'
import { Details, Section } from '../../ui/section.tsx'
import { useSession } from '../../wallet/index.ts'
import { useSigner, Writing, WritingForm } from '../../wallet/signing.ts'
import { EndorseButton } from './endorse-button.tsx'
import { EndorsedBy } from './endorsed-by.tsx'
import { mayRemove, RemoveButton } from './remove-button.tsx'
import { text } from './text.ts'
import { WrittenBy } from './written-by.tsx'

type Place = { chainId: number; safeAddress: AddressType; role: Role | null }

/** ABIs that people of the team gave for contracts. */
export function Abis({ chainId, safeAddress, role }: Place) {
  const mayWrite = role === 'owner' || role === 'proposer'
  const { session } = useSession()
  const signer = useSigner()
  const abis = useQuery(abisQuery(chainId, safeAddress))
  const given = abis.data?.abis ?? []
  const same = groupSame(given, keyOfAbi)
  return (
    <Section title={text('book.abis')}>
      <p className="mb-4 max-w-2xl text-ink-soft">{text('book.abis.what')}</p>
      {abis.data?.isCut && <p className="mb-4 text-ink-soft">{text('book.abis.cut', { count: given.length })}</p>}
      <List
        of={abis}
        rows={given}
        keyOf={(entry) => `${entry.contract} ${entry.author}`}
        label={text('book.abis')}
        loading={text('book.abis.loading')}
        empty={<Empty title={text('book.abis.empty')}>{text('book.abis.empty.sentence')}</Empty>}
      >
        {(entry) => (
          <>
            <div
              data-abi={entry.contract}
              data-author={entry.author}
              className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2"
            >
              <div className="min-w-0">
                <Address address={entry.contract} name={showUntrusted(entry.name, 60)} />
                <WrittenBy chainId={chainId} safeAddress={safeAddress} author={entry.author} at={entry.updatedAt} />
                {!entry.isSigned && <p className="mt-1 text-small">{text('book.abi.unsigned')}</p>}
                <EndorsedBy
                  chainId={chainId}
                  safeAddress={safeAddress}
                  author={entry.author}
                  same={(same.get(keyOfAbi(entry)) ?? [entry]).filter(({ isSigned }) => isSigned)}
                />
              </div>
              <Writing>
                <div className="flex flex-wrap gap-2">
                  {role === 'owner' &&
                    !same
                      .get(keyOfAbi(entry))
                      ?.some(({ author, isSigned }) => isSigned && author === session?.address) && (
                      // Another text, another question: nobody endorses what came after they asked.
                      <EndorseButton
                        key={entry.abi}
                        name={text('book.abi.endorse.of', { name: entry.name })}
                        sentence={text('book.abi.endorse.sure')}
                        isOwn={entry.author === session?.address}
                        place={{ chainId, safeAddress }}
                        endorse={async () => {
                          const { contract, name, abi } = entry
                          const given = { chainId, safeAddress, contract, abi }
                          const signature = await signAsAccount(requireSigner(signer), abiTypedData(given))
                          return api(addAbi, { ...given, name, signature })
                        }}
                      />
                    )}
                  {mayRemove(role, entry.author, session) && (
                    <RemoveButton
                      name={entry.name}
                      place={{ chainId, safeAddress }}
                      remove={() =>
                        api(removeAbi, { chainId, safeAddress, contract: entry.contract, author: entry.author })
                      }
                    />
                  )}
                </div>
              </Writing>
            </div>
            <Functions abi={entry.abi} />
          </>
        )}
      </List>
      {mayWrite && <AbiForm chainId={chainId} safeAddress={safeAddress} role={role} />}
    </Section>
  )
}

/** Lists the functions of an ABI, parsed here: the server may store anything. */
function Functions({ abi }: { abi: string }) {
  const read = parseFunctions(abi)
  if (read instanceof Error) return <Problem error={read} />
  return (
    <Details hasRule={false} summary={text('book.abi.functions', { count: read.length })}>
      <ul className="figures grid gap-1 text-small wrap-anywhere">
        {read.map((declaration) => (
          <li key={declaration.signature}>{writeAbiDeclaration(declaration)}</li>
        ))}
      </ul>
    </Details>
  )
}

function parseFunctions(abi: string) {
  try {
    return parseGivenAbiJson(abi)
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error))
  }
}

function AbiForm({ chainId, safeAddress, role }: Place) {
  const signer = useSigner()
  const { abi: asked = '' } = useSearch({ from: '/signed-in/safes/$chainId/$safeAddress/book' })
  const form = useForm({
    start: { contract: asked, name: '', abi: '' },
    read: ({ contract, name, abi }) => ({
      contract: parseAddressField(contract),
      name: parseRequired(name, text('book.name.missing')),
      abi: parseRequired(abi, text('book.abi.json.missing')),
    }),
    sending: useTeamChange(
      { chainId, safeAddress },
      async ({ name, ...input }: { contract: AddressType; name: string; abi: string }) => {
        const given = { chainId, safeAddress, ...input }
        // Nobody is asked to sign what the server would refuse.
        parseGivenAbiJson(input.abi)
        // A proposer's ABI is a guess, signed or not.
        const signature = role === 'owner' ? await signAsAccount(requireSigner(signer), abiTypedData(given)) : undefined
        return api(addAbi, { ...given, name, signature })
      },
    ),
  })
  return (
    <WritingForm
      title={text('book.abi.add')}
      submit={text('book.abi.save')}
      busy={text(role === 'owner' ? 'book.signing' : 'book.save.busy')}
      state={form.state}
      done={({ name }) => text('book.abi.saved', { name })}
    >
      <AddressField label={text('book.abi.contract')} {...form.field('contract')} />
      <Field label={text('book.abi.name')} maxLength={60} autoComplete="off" {...form.field('name')} />
      <TextField
        label={text('book.abi.json')}
        hint={text('book.abi.json.hint')}
        isFigures
        rows={6}
        maxLength={131_072}
        spellCheck={false}
        {...form.field('abi')}
      />
    </WritingForm>
  )
}
