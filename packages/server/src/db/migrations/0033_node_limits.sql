CREATE TABLE "node_limit" (
	"chain_id" bigint NOT NULL,
	"node" text NOT NULL,
	"kind" text NOT NULL,
	"value" bigint,
	"words" text NOT NULL,
	"learned_at" timestamp with time zone NOT NULL,
	CONSTRAINT "node_limit_chain_id_node_kind_pk" PRIMARY KEY("chain_id","node","kind")
);
