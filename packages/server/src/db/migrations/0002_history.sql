CREATE TABLE "chain_header" (
	"chain_id" bigint NOT NULL,
	"block_number" bigint NOT NULL,
	"block_hash" "bytea" NOT NULL,
	CONSTRAINT "chain_header_chain_id_block_number_pk" PRIMARY KEY("chain_id","block_number")
);
--> statement-breakpoint
CREATE TABLE "history_entry" (
	"chain_id" bigint NOT NULL,
	"safe_address" "bytea" NOT NULL,
	"block_number" bigint NOT NULL,
	"log_index" integer NOT NULL,
	"part" integer NOT NULL,
	"kind" text NOT NULL,
	"block_time" timestamp with time zone NOT NULL,
	"transaction_hash" "bytea",
	"safe_tx_hash" "bytea",
	"is_successful" boolean,
	"subject" "bytea",
	"threshold" integer,
	"token" "bytea",
	"token_kind" text,
	"token_id" numeric(78, 0),
	"counterparty" "bytea",
	"amount" numeric(78, 0),
	"data" "bytea",
	"operation" smallint,
	CONSTRAINT "history_entry_chain_id_safe_address_block_number_log_index_part_pk" PRIMARY KEY("chain_id","safe_address","block_number","log_index","part")
);
--> statement-breakpoint
ALTER TABLE "chain_cursor" ADD COLUMN "head_block" bigint;--> statement-breakpoint
ALTER TABLE "chain_cursor" ADD COLUMN "stopped_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "safe" ADD COLUMN "is_stale" boolean DEFAULT false NOT NULL;--> statement-breakpoint
CREATE INDEX "history_entry_block" ON "history_entry" USING btree ("chain_id","block_number");