import static org.codelibs.opensearch.runner.OpenSearchRunner.newConfigs;

import org.codelibs.opensearch.runner.OpenSearchRunner;

/** Runs OpenSearch with one node on loopback. Arguments: the folder of its data, and the port. */
public final class SearchServer {
  public static void main(String[] arguments) throws Exception {
    OpenSearchRunner runner = new OpenSearchRunner();
    runner.onBuild(
        (number, settings) -> {
          settings.put("network.host", "127.0.0.1");
          settings.put("http.port", arguments[1]);
          settings.put("transport.port", "0");
          settings.put("discovery.type", "single-node");
          settings.put("cluster.routing.allocation.disk.threshold_enabled", false);
          settings.put("node.store.allow_mmap", false);
        });
    runner.build(newConfigs().basePath(arguments[0]).numOfNode(1).clusterName("tests").disableESLogger());
    runner.ensureYellow();
    Thread.currentThread().join();
  }
}
