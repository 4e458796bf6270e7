import com.google.gson.Gson;
import com.google.gson.JsonParser;
import headwater.client.ApiClient;
import headwater.client.ApiException;
import headwater.client.api.DeliveryApi;
import headwater.client.api.EntriesApi;
import headwater.client.auth.HttpBearerAuth;
import headwater.client.model.DeliveryEntry;
import headwater.client.model.EntriesCreateRequest;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** The client that openapi-generator makes for Java lists, reads and creates, and receives failures. */
public final class GeneratedClient {
  private interface Call {
    void execute() throws ApiException;
  }

  private static ApiClient client(String key) {
    ApiClient client = new ApiClient().setBasePath(System.getenv("SERVICE"));
    ((HttpBearerAuth) client.getAuthentication("apiKey")).setBearerToken(key);
    return client;
  }

  private static List<Object> failureOf(Call call) {
    try {
      call.execute();
    } catch (ApiException failure) {
      String code = JsonParser.parseString(failure.getResponseBody()).getAsJsonObject().get("error").getAsString();
      return List.of(failure.getCode(), code);
    }
    return List.of();
  }

  public static void main(String[] arguments) throws ApiException {
    String project = System.getenv("PROJECT");
    String site = System.getenv("SITE");
    DeliveryApi delivery = new DeliveryApi(client(System.getenv("DELIVERY_KEY")));
    EntriesApi entries = new EntriesApi(client(System.getenv("MANAGEMENT_KEY")));

    List<DeliveryEntry> listed =
        delivery.deliveryListContent(project, site, "article").orderBy("createdAt:asc").execute().getData();
    DeliveryEntry first =
        delivery.deliveryGetEntry(project, site, listed.get(0).getId().toString()).execute().getData();
    EntriesCreateRequest request =
        new EntriesCreateRequest()
            .contentTypeApiName("article")
            .siteId(UUID.fromString(System.getenv("SITE_ID")))
            .fields(Map.of("title", "Made by a generated client"));
    String id = entries.entriesCreate(project, request).execute().getData().getId().toString();

    Map<String, Object> printed = new LinkedHashMap<>();
    printed.put("titles", listed.stream().map(entry -> entry.getFields().get("title")).toList());
    printed.put("first", first.getFields().get("title"));
    printed.put("created", entries.entriesGet(project, id).execute().getData().getFields().get("title"));
    printed.put("missing", failureOf(() -> delivery.deliveryListContent(project, site, "nothing").execute()));
    EntriesApi stranger = new EntriesApi(client("hwm_unknown"));
    printed.put("unauthorized", failureOf(() -> stranger.entriesGet(project, id).execute()));
    System.out.println(new Gson().toJson(printed));
  }
}
