DROP INDEX proposals_agent;
DROP INDEX proposals_tool;
DROP INDEX proposals_newest;
