/** The places of a pool on which processes work, and the files and processes that are made for it. */
package tidepool.workload.site;
