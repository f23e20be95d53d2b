CREATE TABLE "deleted_proposal" (
	"chain_id" bigint NOT NULL,
	"hash" "bytea" NOT NULL,
	"safe_address" "bytea" NOT NULL,
	"nonce" numeric(78, 0),
	"safe_tx" jsonb,
	"domain_version" text,
	"content" text,
	"signatures" jsonb NOT NULL,
	"bytes" integer NOT NULL,
	"kept_by" "bytea" NOT NULL,
	"deleted_date" timestamp with time zone NOT NULL,
	CONSTRAINT "deleted_proposal_chain_id_hash_pk" PRIMARY KEY("chain_id","hash")
);
--> statement-breakpoint
CREATE INDEX "deleted_proposal_safe" ON "deleted_proposal" USING btree ("chain_id","safe_address","kept_by");