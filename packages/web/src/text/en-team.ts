/** Texts of features/team. */
export const enTeam = {
  'team.title': 'Team',
  'team.loading': 'Asking who is in the team',
  'team.private': 'Who may propose and look is known to the team alone',
  'team.private.sentence': 'An owner can invite your account. Until then you see what is on the chain.',

  'team.owners': 'Owners',
  'team.owners.what':
    'Read from the chain. Owners confirm and execute; they change by a transaction of the Safe itself.',

  'team.delegates': 'Proposers',
  'team.delegates.what':
    'A proposer writes proposals in the name of one owner and confirms nothing: what it proposes needs the owners’ signatures like anything else. It ends by itself when that owner is no owner any more.',
  'team.delegates.empty': 'Nobody proposes for an owner',
  'team.delegates.by': 'For',
  'team.delegates.all': 'Every Safe of this owner',
  'team.delegates.until': 'Until',
  'team.delegates.noEnd': 'Without an end',
  'team.delegates.add': 'Name a proposer',
  'team.delegates.address': 'Address of the proposer',
  'team.delegates.label': 'What the proposer is called',
  'team.delegates.span': 'How long it may propose',
  'team.delegates.scope': 'For which Safes',
  'team.delegates.scope.this': 'This Safe',
  'team.delegates.scope.all': 'Every Safe that I own on {chain}, now and later',
  'team.delegates.submit': 'Name the proposer',
  'team.delegates.adding': 'Naming the proposer',
  'team.delegates.added': '{label} may propose for you.',
  'team.delegates.remove.sure': '{label} will no longer propose for you here. What it has proposed stays.',
  'team.delegates.remove.sureAll':
    '{label} will no longer propose for you on any Safe of this chain. What it has proposed stays.',
  'team.delegates.leave.sure': 'You will no longer propose for this owner. Only the owner can name you again.',

  'team.viewers': 'Viewers',
  'team.viewers.what':
    'A viewer sees what the team sees: queue, messages, notes, names and the activity log. It changes nothing. It ends by itself when the owner who invited it is no owner any more.',
  'team.viewers.empty': 'Nobody is invited to look',
  'team.viewers.by': 'Invited by',
  'team.viewers.add': 'Invite a viewer',
  'team.viewers.address': 'Address of the viewer',
  'team.viewers.label': 'What the viewer is called',
  'team.viewers.submit': 'Invite the viewer',
  'team.viewers.adding': 'Inviting the viewer',
  'team.viewers.added': '{label} sees this Safe in My Safes from now on.',
  'team.viewers.remove.sure': '{label} will no longer see what the team sees. What was seen cannot be taken back.',
  'team.viewers.leave.sure': 'You will see only what is on the chain. Only an owner can invite you again.',

  'team.label.hint': 'The whole team sees it, beside the address.',
  'team.label.missing': 'Enter a name.',
  'team.remove': 'Remove',
  'team.remove.of': 'Remove {label}',
  'team.remove.yes': 'Remove now',
  'team.remove.busy': 'Removing',
  'team.leave': 'Leave',
  'team.leave.yes': 'Leave now',
  'team.cancel': 'Cancel',
} as const satisfies Record<string, string>
