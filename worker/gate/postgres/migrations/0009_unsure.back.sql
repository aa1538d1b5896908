DROP INDEX proposals_unsure;
