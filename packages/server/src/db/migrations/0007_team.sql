CREATE TABLE "address_book_entry" (
	"chain_id" bigint NOT NULL,
	"safe_address" "bytea" NOT NULL,
	"address" "bytea" NOT NULL,
	"name" text NOT NULL,
	"author" "bytea" NOT NULL,
	"updated_at" timestamp with time zone NOT NULL,
	CONSTRAINT "address_book_entry_chain_id_safe_address_address_pk" PRIMARY KEY("chain_id","safe_address","address")
);
--> statement-breakpoint
CREATE TABLE "api_token" (
	"token_hash" "bytea" PRIMARY KEY NOT NULL,
	"id" text NOT NULL,
	"account" "bytea" NOT NULL,
	"chain_id" bigint NOT NULL,
	"proven_by" text NOT NULL,
	"name" text NOT NULL,
	"scopes" text[] NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"expires_at" timestamp with time zone,
	"last_used_at" timestamp with time zone,
	"last_used_from" text,
	CONSTRAINT "api_token_id_unique" UNIQUE("id")
);
--> statement-breakpoint
CREATE TABLE "delegate" (
	"chain_id" bigint NOT NULL,
	"safe_address" "bytea",
	"delegate" "bytea" NOT NULL,
	"delegator" "bytea" NOT NULL,
	"label" text NOT NULL,
	"signature" "bytea",
	"created_at" timestamp with time zone NOT NULL,
	"expiry_date" timestamp with time zone,
	CONSTRAINT "delegate_once" UNIQUE NULLS NOT DISTINCT("chain_id","safe_address","delegate","delegator")
);
--> statement-breakpoint
CREATE TABLE "given_abi" (
	"chain_id" bigint NOT NULL,
	"safe_address" "bytea" NOT NULL,
	"contract" "bytea" NOT NULL,
	"name" text NOT NULL,
	"abi" text NOT NULL,
	"author" "bytea" NOT NULL,
	"updated_at" timestamp with time zone NOT NULL,
	CONSTRAINT "given_abi_chain_id_safe_address_contract_pk" PRIMARY KEY("chain_id","safe_address","contract")
);
--> statement-breakpoint
CREATE TABLE "message_confirmation" (
	"chain_id" bigint NOT NULL,
	"message_hash" "bytea" NOT NULL,
	"owner" "bytea" NOT NULL,
	"signature" "bytea" NOT NULL,
	"signature_type" text NOT NULL,
	"submission_date" timestamp with time zone NOT NULL,
	"verified_block" bigint NOT NULL,
	CONSTRAINT "message_confirmation_chain_id_message_hash_owner_pk" PRIMARY KEY("chain_id","message_hash","owner")
);
--> statement-breakpoint
CREATE TABLE "note" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"chain_id" bigint NOT NULL,
	"safe_address" "bytea" NOT NULL,
	"subject_hash" "bytea" NOT NULL,
	"author" "bytea" NOT NULL,
	"text" text NOT NULL,
	"created_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "refused_signature" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"at" timestamp with time zone NOT NULL,
	"chain_id" bigint NOT NULL,
	"safe_address" "bytea" NOT NULL,
	"signed_hash" "bytea" NOT NULL,
	"signature" "bytea" NOT NULL,
	"signature_hash" "bytea" NOT NULL,
	"submitted_by" "bytea" NOT NULL,
	"signer" "bytea",
	"other_safe_tx_hash" "bytea",
	"code" text NOT NULL,
	"is_alarm" boolean NOT NULL,
	"acknowledged_by" "bytea",
	"acknowledged_at" timestamp with time zone,
	CONSTRAINT "refused_signature_once" UNIQUE("chain_id","safe_address","signed_hash","signature_hash")
);
--> statement-breakpoint
CREATE TABLE "safe_message" (
	"chain_id" bigint NOT NULL,
	"message_hash" "bytea" NOT NULL,
	"safe_address" "bytea" NOT NULL,
	"content" text NOT NULL,
	"proposer" "bytea" NOT NULL,
	"safe_app_id" integer,
	"origin" text,
	"submission_date" timestamp with time zone NOT NULL,
	"modified_date" timestamp with time zone NOT NULL,
	CONSTRAINT "safe_message_chain_id_message_hash_pk" PRIMARY KEY("chain_id","message_hash")
);
--> statement-breakpoint
CREATE TABLE "viewer" (
	"chain_id" bigint NOT NULL,
	"safe_address" "bytea" NOT NULL,
	"account" "bytea" NOT NULL,
	"invited_by" "bytea" NOT NULL,
	"label" text NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	CONSTRAINT "viewer_chain_id_safe_address_account_invited_by_pk" PRIMARY KEY("chain_id","safe_address","account","invited_by")
);
--> statement-breakpoint
ALTER TABLE "confirmation" ADD COLUMN "verified_block" bigint;--> statement-breakpoint
ALTER TABLE "confirmation" ADD COLUMN "transaction_hash" "bytea";--> statement-breakpoint
ALTER TABLE "multisig_transaction" ADD COLUMN "proposed_by_delegate" "bytea";--> statement-breakpoint
ALTER TABLE "multisig_transaction" ADD COLUMN "is_trusted" boolean DEFAULT true NOT NULL;--> statement-breakpoint
ALTER TABLE "multisig_transaction" ADD COLUMN "modified_date" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "multisig_transaction" ADD COLUMN "gas_used" numeric(78, 0);--> statement-breakpoint
ALTER TABLE "multisig_transaction" ADD COLUMN "fee" numeric(78, 0);--> statement-breakpoint
ALTER TABLE "multisig_transaction" ADD COLUMN "signatures" "bytea";--> statement-breakpoint
ALTER TABLE "message_confirmation" ADD CONSTRAINT "message_confirmation_chain_id_message_hash_safe_message_chain_id_message_hash_fk" FOREIGN KEY ("chain_id","message_hash") REFERENCES "public"."safe_message"("chain_id","message_hash") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "api_token_account" ON "api_token" USING btree ("account","created_at" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "api_token_expires" ON "api_token" USING btree ("expires_at") WHERE "api_token"."expires_at" is not null;--> statement-breakpoint
CREATE INDEX "delegate_delegate" ON "delegate" USING btree ("delegate","chain_id");--> statement-breakpoint
CREATE INDEX "delegate_delegator" ON "delegate" USING btree ("delegator","chain_id");--> statement-breakpoint
CREATE INDEX "note_subject" ON "note" USING btree ("chain_id","safe_address","subject_hash","id");--> statement-breakpoint
CREATE INDEX "refused_signature_safe" ON "refused_signature" USING btree ("chain_id","safe_address","id" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "safe_message_list" ON "safe_message" USING btree ("chain_id","safe_address","submission_date" DESC NULLS LAST,"message_hash" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "viewer_account" ON "viewer" USING btree ("account","chain_id");