import { Migration20261121000000_first as First } from './migrations/Migration20261121000000_first.ts'
import { Migration20261121021234_user_api as UserApi } from './migrations/Migration20261121021234_user_api.ts'
import { Migration20261121025315_oauth as Oauth } from './migrations/Migration20261121025315_oauth.ts'
import { Migration20261121180435_signing_in as SigningIn } from './migrations/Migration20261121180435_signing_in.ts'
import { Migration20261121182134_markdown_source as MarkdownSource } from './migrations/Migration20261121182134_markdown_source.ts'
import { Migration20261121182735_rotation as Rotation } from './migrations/Migration20261121182735_rotation.ts'
import { Migration20261121223830_agents as Agents } from './migrations/Migration20261121223830_agents.ts'
import { Migration20261122045820_known_browsers as KnownBrowsers } from './migrations/Migration20261122045820_known_browsers.ts'
import { Migration20261122073127_connected_spaces as ConnectedSpaces } from './migrations/Migration20261122073127_connected_spaces.ts'
import { Migration20261122073626_history as History } from './migrations/Migration20261122073626_history.ts'
import { Migration20261122160612_agents_of_keys as AgentsOfKeys } from './migrations/Migration20261122160612_agents_of_keys.ts'
import { Migration20261122161200_drafts as Drafts } from './migrations/Migration20261122161200_drafts.ts'
import { Migration20261122190800_audit as Audit } from './migrations/Migration20261122190800_audit.ts'
import { Migration20261122194430_upload_links as UploadLinks } from './migrations/Migration20261122194430_upload_links.ts'
import { Migration20261123015328_post_history as PostHistory } from './migrations/Migration20261123015328_post_history.ts'
import { Migration20261123053500_kept_reports as KeptReports } from './migrations/Migration20261123053500_kept_reports.ts'
import { Migration20261123080153_trimmed_changes as TrimmedChanges } from './migrations/Migration20261123080153_trimmed_changes.ts'
import { Migration20261123125000_agents_of_tokens as AgentsOfTokens } from './migrations/Migration20261123125000_agents_of_tokens.ts'
import { Migration20261123125544_authors_of_changes as AuthorsOfChanges } from './migrations/Migration20261123125544_authors_of_changes.ts'
import { Migration20261123163500_reported_comments as ReportedComments } from './migrations/Migration20261123163500_reported_comments.ts'
import { Migration20261123164347_erased_items as ErasedItems } from './migrations/Migration20261123164347_erased_items.ts'
import { Migration20261123164517_file_store as FileStore } from './migrations/Migration20261123164517_file_store.ts'
import { Migration20261123195124_compressed_bytes as CompressedBytes } from './migrations/Migration20261123195124_compressed_bytes.ts'
import { Migration20261123203000_closed_posts as ClosedPosts } from './migrations/Migration20261123203000_closed_posts.ts'
import { Migration20261123203100_notifications as Notifications } from './migrations/Migration20261123203100_notifications.ts'
import { Migration20261123204500_follows as Follows } from './migrations/Migration20261123204500_follows.ts'
import { Migration20261123225532_origins as Origins } from './migrations/Migration20261123225532_origins.ts'
import { Migration20261123230305_suspensions as Suspensions } from './migrations/Migration20261123230305_suspensions.ts'
import { Migration20261124032808_mutes as Mutes } from './migrations/Migration20261124032808_mutes.ts'
import { Migration20261124034800_space_names as SpaceNames } from './migrations/Migration20261124034800_space_names.ts'
import { Migration20261124035532_formatted_comments as FormattedComments } from './migrations/Migration20261124035532_formatted_comments.ts'
import { Migration20261125080531_unchecked_changes as UncheckedChanges } from './migrations/Migration20261125080531_unchecked_changes.ts'
import { Migration20261126133500_cheaper_origins as CheaperOrigins } from './migrations/Migration20261126133500_cheaper_origins.ts'
import { Migration20261127035500_networks_of_clients as NetworksOfClients } from './migrations/Migration20261127035500_networks_of_clients.ts'
import { Migration20261127041000_grant_resources as GrantResources } from './migrations/Migration20261127041000_grant_resources.ts'
import { Migration20261127064500_written_history as WrittenHistory } from './migrations/Migration20261127064500_written_history.ts'
import { Migration20261127104000_writing_transaction as WritingTransaction } from './migrations/Migration20261127104000_writing_transaction.ts'
import { Migration20261127134029_visits as Visits } from './migrations/Migration20261127134029_visits.ts'
import { Migration20261127134123_domains as Domains } from './migrations/Migration20261127134123_domains.ts'
import { Migration20261127173000_recorded_columns as RecordedColumns } from './migrations/Migration20261127173000_recorded_columns.ts'
import { Migration20261127203820_kept_answers as KeptAnswers } from './migrations/Migration20261127203820_kept_answers.ts'
import { Migration20261127211011_usage as Usage } from './migrations/Migration20261127211011_usage.ts'

/** Every migration, oldest first. Listed rather than found by a folder scan, so that only reviewed files run. */
export const migrations = [
  First,
  UserApi,
  Oauth,
  SigningIn,
  MarkdownSource,
  Rotation,
  Agents,
  KnownBrowsers,
  ConnectedSpaces,
  History,
  AgentsOfKeys,
  Drafts,
  Audit,
  UploadLinks,
  PostHistory,
  KeptReports,
  TrimmedChanges,
  AgentsOfTokens,
  AuthorsOfChanges,
  ReportedComments,
  ErasedItems,
  FileStore,
  CompressedBytes,
  ClosedPosts,
  Notifications,
  Follows,
  Origins,
  Suspensions,
  Mutes,
  SpaceNames,
  FormattedComments,
  UncheckedChanges,
  CheaperOrigins,
  NetworksOfClients,
  GrantResources,
  WrittenHistory,
  WritingTransaction,
  Visits,
  Domains,
  RecordedColumns,
  KeptAnswers,
  Usage,
]
