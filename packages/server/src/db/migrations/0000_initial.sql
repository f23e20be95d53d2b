CREATE TABLE "activity" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"at" timestamp with time zone NOT NULL,
	"account" "bytea",
	"verb" text NOT NULL,
	"chain_id" bigint NOT NULL,
	"safe_address" "bytea",
	"safe_tx_hash" "bytea",
	"detail" jsonb
);
--> statement-breakpoint
CREATE TABLE "chain_cursor" (
	"chain_id" bigint PRIMARY KEY NOT NULL,
	"block_number" bigint NOT NULL,
	"block_hash" "bytea" NOT NULL
);
--> statement-breakpoint
CREATE TABLE "confirmation" (
	"chain_id" bigint NOT NULL,
	"safe_tx_hash" "bytea" NOT NULL,
	"owner" "bytea" NOT NULL,
	"signature" "bytea" NOT NULL,
	"signature_type" text NOT NULL,
	"submission_date" timestamp with time zone NOT NULL,
	CONSTRAINT "confirmation_chain_id_safe_tx_hash_owner_pk" PRIMARY KEY("chain_id","safe_tx_hash","owner")
);
--> statement-breakpoint
CREATE TABLE "installation" (
	"id" text PRIMARY KEY NOT NULL,
	"created_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "multisig_transaction" (
	"chain_id" bigint NOT NULL,
	"safe_tx_hash" "bytea" NOT NULL,
	"safe_address" "bytea" NOT NULL,
	"to" "bytea",
	"value" numeric(78, 0),
	"data" "bytea",
	"operation" smallint,
	"safe_tx_gas" numeric(78, 0),
	"base_gas" numeric(78, 0),
	"gas_price" numeric(78, 0),
	"gas_token" "bytea",
	"refund_receiver" "bytea",
	"nonce" numeric(78, 0),
	"proposer" "bytea",
	"origin" text,
	"submission_date" timestamp with time zone NOT NULL,
	"pending_transaction_hash" "bytea",
	"pending_executor" "bytea",
	"pending_date" timestamp with time zone,
	"is_executed" boolean DEFAULT false NOT NULL,
	"is_successful" boolean,
	"transaction_hash" "bytea",
	"executor" "bytea",
	"executed_confirmations" integer,
	"block_number" bigint,
	"block_hash" "bytea",
	"log_index" integer,
	"execution_date" timestamp with time zone,
	CONSTRAINT "multisig_transaction_chain_id_safe_tx_hash_pk" PRIMARY KEY("chain_id","safe_tx_hash")
);
--> statement-breakpoint
CREATE TABLE "safe" (
	"chain_id" bigint NOT NULL,
	"address" "bytea" NOT NULL,
	"owners" "bytea"[] NOT NULL,
	"threshold" integer NOT NULL,
	"nonce" numeric(78, 0) NOT NULL,
	"version" text,
	"domain_version" text NOT NULL,
	"block_number" bigint NOT NULL,
	"backfill_block" bigint,
	"added_at" timestamp with time zone NOT NULL,
	CONSTRAINT "safe_chain_id_address_pk" PRIMARY KEY("chain_id","address")
);
--> statement-breakpoint
CREATE TABLE "safe_list_entry" (
	"account" "bytea" NOT NULL,
	"chain_id" bigint NOT NULL,
	"safe_address" "bytea" NOT NULL,
	"added_at" timestamp with time zone NOT NULL,
	CONSTRAINT "safe_list_entry_account_chain_id_safe_address_pk" PRIMARY KEY("account","chain_id","safe_address")
);
--> statement-breakpoint
CREATE TABLE "session" (
	"token_hash" "bytea" PRIMARY KEY NOT NULL,
	"address" "bytea" NOT NULL,
	"chain_id" bigint NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"last_seen_at" timestamp with time zone NOT NULL,
	"expires_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "sign_in_nonce" (
	"nonce" text PRIMARY KEY NOT NULL,
	"browser_hash" "bytea" NOT NULL,
	"address" "bytea" NOT NULL,
	"chain_id" bigint NOT NULL,
	"message" text NOT NULL,
	"expires_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "confirmation" ADD CONSTRAINT "confirmation_chain_id_safe_tx_hash_multisig_transaction_chain_id_safe_tx_hash_fk" FOREIGN KEY ("chain_id","safe_tx_hash") REFERENCES "public"."multisig_transaction"("chain_id","safe_tx_hash") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "multisig_transaction" ADD CONSTRAINT "multisig_transaction_chain_id_safe_address_safe_chain_id_address_fk" FOREIGN KEY ("chain_id","safe_address") REFERENCES "public"."safe"("chain_id","address") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "safe_list_entry" ADD CONSTRAINT "safe_list_entry_chain_id_safe_address_safe_chain_id_address_fk" FOREIGN KEY ("chain_id","safe_address") REFERENCES "public"."safe"("chain_id","address") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "activity_safe" ON "activity" USING btree ("chain_id","safe_address","id" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "multisig_transaction_queue" ON "multisig_transaction" USING btree ("chain_id","safe_address","nonce","submission_date","safe_tx_hash") WHERE not "multisig_transaction"."is_executed";--> statement-breakpoint
CREATE INDEX "multisig_transaction_history" ON "multisig_transaction" USING btree ("chain_id","safe_address","block_number" DESC NULLS LAST,"log_index" DESC NULLS LAST) WHERE "multisig_transaction"."is_executed";--> statement-breakpoint
CREATE INDEX "multisig_transaction_block" ON "multisig_transaction" USING btree ("chain_id","block_number") WHERE "multisig_transaction"."is_executed";--> statement-breakpoint
CREATE INDEX "safe_owners" ON "safe" USING gin ("owners");--> statement-breakpoint
CREATE INDEX "safe_backfill" ON "safe" USING btree ("chain_id") WHERE "safe"."backfill_block" is not null;--> statement-breakpoint
CREATE INDEX "session_expires_at" ON "session" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "sign_in_nonce_expires_at" ON "sign_in_nonce" USING btree ("expires_at");