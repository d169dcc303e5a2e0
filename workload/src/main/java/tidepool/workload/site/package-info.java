/** Where a pool is while processes work on it, and what has to be started for it: files, or memory nodes. */
package tidepool.workload.site;
